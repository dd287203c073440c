"""Runs docs/tutorials/python.ipynb from top to bottom in a kernel of its own, as Jupyter does."""

import sys
from pathlib import Path

import nbformat
import pytest
from ipykernel.kernelspec import write_kernel_spec
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

TUTORIAL = Path(__file__).parents[3] / "docs" / "tutorials" / "python.ipynb"


def kernel_of_this_interpreter(folder):
    """Uses this interpreter: the system's kernel is the first python3 on the path, which may lack the module. History
    is off, because it would be the user's own and takes 15 s to open on a busy disk."""
    write_kernel_spec(folder / "python3", extra_arguments=["--HistoryManager.enabled=False"])
    return AsyncKernelManager(kernel_name="python3", kernel_spec_manager=KernelSpecManager(kernel_dirs=[str(folder)]))


def test_the_tutorial_runs_from_top_to_bottom(tmp_path):
    notebook = nbformat.read(TUTORIAL, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) >= 6 and not any(cell.outputs or cell.execution_count for cell in code), "outputs are not kept"
    kernel = kernel_of_this_interpreter(tmp_path / "kernels")
    NotebookClient(notebook, km=kernel, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    said = "".join(output.get("text", "") for cell in code for output in cell.outputs)
    assert "right index ball 3" in said and "the capsule is" in said


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q"]))
