#!/usr/bin/env bash
# PrairieLearn runs this for each submission. It always leaves a results.json: where the grader or the course failed,
# one that says so, and that costs no attempt.
set -uo pipefail

fault() {
    cat <<'END'
{
  "gradable": false,
  "format_errors": ["The course's autograder failed here. This is not your fault, and costs no attempt: tell your instructor."]
}
END
}

main() {
    local root=${GRADE_ROOT:-/grade} student
    local results=$root/results/results.json
    # Until there is something better, for a run may be killed at any moment.
    mkdir -p "$root/results" && fault >"$results" || return 4
    # Python looks for its modules where it stands, so not among a student's files.
    work=$(mktemp -d) && cd "$work" || return 4
    trap 'rm -rf "$work"' EXIT
    log=${GRADER_LOG:-$work/log}
    # A repository keeps no modes.
    chmod -R go= "$root/tests" || return 4

    student=$(python3 -I -m grader.bundle.student prairielearn "$root/data/data.json") || return 4
    local in=$root/student
    [ -f "$in/submission.zip" ] && [ ! -L "$in/submission.zip" ] && in=$in/submission.zip
    # Students may be shown what is printed.
    grader grade "$in" --one "--student=$student" @CHOSEN@ \
        --course "$root/tests/course" --out "$work/reports" >"$log" 2>&1 || return
    grader export prairielearn "$work/reports" --course "$root/tests/course" >"$work/results.json" 2>>"$log" || return
    cp "$work/results.json" "$results.new" && mv "$results.new" "$results"
}

# All of it is read before any of it runs: what is added to this file meanwhile is never run.
main "$@"; exit
