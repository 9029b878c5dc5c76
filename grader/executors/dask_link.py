"""A cluster of Dask's."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any

from grader.executors.link import CallError, LinkError, LostError, Worker
from grader.executors.safety import TLS, require_safety
from grader.model.errors import GraderError, UsageError

_CONNECT_SECONDS = 10
_RESULT_SECONDS = 30
_ANSWER_SECONDS = 30
_CLOSE_SECONDS = 2


def connected(address: str) -> DaskLink:
    """Connect to a scheduler; certificates are those of Dask's own configuration.

    Raises:
        UsageError: Dask is not installed, or the scheduler listens to other machines without TLS.
        GraderError: It cannot be reached.
    """
    distributed = _dask()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters of it is told in our own words
    security = _security(distributed, address)
    try:
        client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False, security=security)
    except (OSError, TimeoutError, ValueError, RuntimeError) as error:
        raise GraderError(
            f"the scheduler cannot be reached: {error}",
            where=address,
            hint="is it running, and does it speak this protocol? `dask scheduler` starts one",
        ) from error
    link = DaskLink(distributed, client)
    try:
        require_safety(link.address)
    except LinkError as error:
        link.close()
        raise GraderError(str(error), where=address) from error
    except UsageError:
        link.close()
        raise
    return link


def _dask() -> Any:  # noqa: ANN401  # Dask is not followed by the type checker
    try:
        import distributed  # noqa: PLC0415  # an extra, and slow to import
    except ImportError as error:
        raise UsageError("Dask is not installed", hint='pip install "rowwise[cluster]"') from error
    return distributed


def _security(distributed: Any, address: str) -> Any:  # noqa: ANN401  # as above
    """The certificates that Dask's configuration names."""
    try:
        security = distributed.Security()
        if not address.startswith("tls://") or security.get_connection_args("client")["ssl_context"]:
            return security
    except (OSError, ValueError) as error:  # such as files that are not there, or hold no certificate
        raise UsageError(f"the certificates cannot be read: {error}", where=address, hint=TLS) from error
    raise UsageError("there are no certificates for a connection with TLS", where=address, hint=TLS)


class DaskTask:
    """A future of Dask's.

    Args:
        distributed: The library.
        future: The future.
    """

    def __init__(self, distributed: Any, future: Any) -> None:  # noqa: ANN401  # as above
        self._distributed, self._future = distributed, future
        self._over = threading.Event()
        future.add_done_callback(lambda _: self._over.set())

    def wait(self, seconds: float) -> bool:
        """Return whether it is over, after some seconds at most."""
        return self._over.wait(seconds)

    def result(self) -> str:
        """Return what came of it.

        Raises:
            LostError: Nothing came of it.
        """
        try:
            return str(self._future.result(timeout=_RESULT_SECONDS))
        except self._distributed.KilledWorker as error:
            raise LostError(f"the workers that had this submission were lost: {error}") from error
        except Exception as error:  # whatever Dask hands on
            raise LostError(f"the cluster gave no result: {type(error).__name__}: {error}") from error
        finally:
            self._future.release()

    def cancel(self) -> None:
        """Ask for it no more."""
        with suppress(OSError, RuntimeError, TimeoutError):
            self._future.cancel()


class DaskLink:
    """A client of Dask's.

    Args:
        distributed: The library.
        client: The client; it is closed in the end.
    """

    def __init__(self, distributed: Any, client: Any) -> None:  # noqa: ANN401  # as above
        self._distributed, self._client = distributed, client

    @property
    def address(self) -> str:
        """Where the scheduler says that it is."""
        return str(self._identity(workers=0)["address"])

    def workers(self) -> list[Worker]:
        """Return the workers that there are.

        Raises:
            LinkError: The scheduler is gone.
        """
        found = self._identity(workers=-1)["workers"]
        return [
            Worker(address, each["local_directory"], each["nthreads"], each["memory_limit"] or 0, _paused(each))
            for address, each in found.items()
        ]

    def _identity(self, workers: int) -> dict[str, Any]:
        """Ask the scheduler itself: what the client remembers of it is cut short from time to time."""
        if self._client.status != "running":
            raise LinkError("the connection to the scheduler was lost")
        try:
            scheduler = self._client.scheduler
            return dict(self._client.sync(scheduler.identity, n_workers=workers, callback_timeout=_ANSWER_SECONDS))
        except (OSError, RuntimeError, TimeoutError, AttributeError, CancelledError) as error:
            raise LinkError(f"the scheduler does not answer: {type(error).__name__}: {error}") from error

    def call(self, address: str, function: Callable[..., Any], *args: object) -> Any:  # noqa: ANN401  # whatever it returns
        """Call a function on one worker, beside its tasks.

        Raises:
            CallError: It did not answer, or could not.
        """
        try:
            answer = self._client.run(function, *args, workers=[address], on_error="return").get(address)
        except (OSError, RuntimeError, ValueError, TimeoutError, CancelledError) as error:
            raise CallError(f"{type(error).__name__}: {error}") from error
        if isinstance(answer, BaseException):
            raise CallError(f"{type(answer).__name__}: {answer}") from answer
        return answer

    def tell(self, addresses: Sequence[str], function: Callable[..., Any], *args: object) -> None:
        """Call a function on several workers at once, and wait until those that can have done it."""
        with suppress(OSError, RuntimeError, ValueError, TimeoutError, CancelledError):
            self._client.run(function, *args, workers=list(addresses), on_error="ignore")

    def submit(self, address: str, function: Callable[..., str], *args: object) -> DaskTask:
        """Have one worker do something. Where that one is lost nobody else does it: whether to try again is not Dask's to say.

        Raises:
            LostError: The cluster takes nothing.
        """
        key = f"rowwise-{secrets.token_hex(8)}"
        try:
            future = self._client.submit(function, *args, key=key, workers=[address], retries=0, pure=False)
        except (OSError, RuntimeError, ValueError, TimeoutError, CancelledError) as error:
            raise LostError(f"the cluster took no task: {type(error).__name__}: {error}") from error
        return DaskTask(self._distributed, future)

    def close(self) -> None:
        """Leave the cluster; whatever is asked of it still is cancelled."""
        with suppress(OSError, RuntimeError, TimeoutError, CancelledError):
            self._client.close(timeout=_CLOSE_SECONDS)


def _paused(worker: dict[str, Any]) -> bool:
    return bool(worker["status"] != "running")
