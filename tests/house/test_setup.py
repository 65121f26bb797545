"""Setting up where something is missing ends with a sentence that says what, and leaves nothing half done."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

from tests.house.bare import base_python, put, setup


def test_no_python_at_all(copy: Path, machine: Path) -> None:
    ran = setup(copy, machine)
    assert ran.returncode == 1
    assert "needs Python 3.11 or newer, and no Python was found" in ran.stderr
    assert not (copy / ".venv").exists()


def test_a_python_that_is_too_old_is_named(copy: Path, machine: Path) -> None:
    put(machine, "python3", 'case "$1" in --version) echo "Python 3.9.2";; *) exit 1;; esac')
    ran = setup(copy, machine)
    assert ran.returncode == 1
    assert "and this machine has Python 3.9.2" in ran.stderr


def test_a_shim_that_leads_nowhere_is_passed_over(copy: Path, machine: Path) -> None:
    put(machine, "python3.13", "exit 127")
    put(machine, "python3.12", f"exec {base_python()} -c \"print('chosen')\"")
    ran = setup(copy, machine)
    assert ran.stdout.strip() == "chosen"


def test_a_chosen_python_that_will_not_do(copy: Path, machine: Path) -> None:
    ran = setup(copy, machine, PYTHON="/nowhere/python")
    assert ran.returncode == 1
    assert "PYTHON=/nowhere/python is not a Python 3.11 or newer" in ran.stderr


def test_no_venv_module(copy: Path, machine: Path, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "ensurepip.py").write_text("raise ImportError", encoding="utf-8")
    put(machine, "python3", f'exec {base_python()} "$@"')
    ran = setup(copy, machine, PYTHONPATH=str(hidden))
    assert ran.returncode == 1
    assert "comes without its venv module" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_folder_of_someone_elses_is_left_alone(copy: Path, machine: Path) -> None:
    (copy / ".venv").mkdir()
    (copy / ".venv" / "diary.txt").write_text("mine", encoding="utf-8")
    put(machine, "python3", f'exec {base_python()} "$@"')
    ran = setup(copy, machine)
    assert ran.returncode == 1
    assert "is not an environment of Python's" in ran.stderr
    assert (copy / ".venv" / "diary.txt").exists()


def test_no_network_and_the_second_run(copy: Path, machine: Path) -> None:
    put(machine, "python3", f'exec {base_python()} "$@"')
    ran = setup(copy, machine, PIP_INDEX_URL="http://127.0.0.1:9/simple")
    assert ran.returncode == 1
    assert "no connection to a package index" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not list((copy / ".venv").glob(".installed-for-*"))

    key = subprocess.run(
        [base_python(), "-c", "import environment; print(environment.wanted('run'), end='')"],
        cwd=copy / "tools",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    (copy / ".venv" / ".installed-for-run").write_text(key, encoding="utf-8")
    again = setup(copy, machine, PIP_INDEX_URL="http://127.0.0.1:9/simple")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")

    (copy / "requirements.lock").write_text("# another lock\n", encoding="utf-8")
    changed = setup(copy, machine, PIP_INDEX_URL="http://127.0.0.1:9/simple")
    assert "Setting up HeartRule in .venv." in changed.stdout


def test_a_package_that_is_not_the_one_we_locked(copy: Path, machine: Path, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    with zipfile.ZipFile(wheels / "leaf-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("leaf.py", "")
        wheel.writestr("leaf-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: leaf\nVersion: 1.0\n")
        wheel.writestr("leaf-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("leaf-1.0.dist-info/RECORD", "")
    (copy / "requirements.lock").write_text(f"leaf==1.0 --hash=sha256:{'0' * 64}\n", encoding="utf-8")
    put(machine, "python3", f'exec {base_python()} "$@"')
    ran = setup(copy, machine, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(wheels))
    assert ran.returncode == 1
    assert "did not match the fingerprint in the lock file" in ran.stderr
