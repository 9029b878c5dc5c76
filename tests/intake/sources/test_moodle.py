"""Moodle: folders, files in one folder, groups, and marking without names."""

from tests.intake.sources.downloads import A, B


def test_files_in_one_folder_are_put_together_by_student(lay, collected):
    files = {
        "Ada Lovelace_11_assignsubmission_file_attention.py": A,
        "Ada Lovelace_11_assignsubmission_file_notes.txt": b"",
        "Bo_12_assignsubmission_file_attention (1).py": B,
    }
    found = collected(lay(files, "zip")).by_id
    assert found["Ada Lovelace_11"].files == {"attention.py": A}
    assert found["Ada Lovelace_11"].ignored == ("notes.txt",)
    assert found["Bo_12"].files == {"attention.py": B}


def test_a_name_may_hold_the_groups_before_a_dash(lay, collected):
    found = collected(lay({"Team 1-Jean-Luc Picard_11_assignsubmission_file_/attention.py": A}, "zip")).submissions[0]
    assert found.origin.who[0]["name"] == ("Team 1-Jean-Luc Picard", "Jean-Luc Picard", "Luc Picard")
    assert found.origin.who[0]["group"] == ("Team 1-Jean-Luc Picard", "Team 1", "Team 1-Jean")


def test_a_participant_is_known_by_the_number_of_the_grading_worksheet(lay, collected):
    found = collected(lay({"Participant_7_assignsubmission_file_/attention.py": A}, "zip")).submissions[0]
    assert found.origin.who[0]["moodle_id"] == ("7", "Participant 7")


def test_what_was_typed_in_alone_is_a_submission_without_its_file(lay, collected):
    found = collected(lay({"Ada_7_assignsubmission_onlinetext_/onlinetext.html": A}, "zip")).submissions[0]
    assert found.ignored == ("Ada_7_assignsubmission_onlinetext_/",)
    assert "attention.py is missing" in found.problems[0].message
