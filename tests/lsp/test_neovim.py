"""The language server as Neovim meets it, without a screen. Skipped where there is no Neovim."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.lsp.test_server import FIRST, SKILLS

NVIM = shutil.which("nvim")
LUA = """
local folder, python, out = "{folder}", "{python}", "{out}"
vim.cmd("edit " .. folder .. "/first.yaml")
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({{
  name = "heartrule", cmd = {{python, "-m", "heartrule", "lsp", "--lang", "en"}}, root_dir = folder,
}})
vim.lsp.buf_attach_client(buffer, client)
assert(vim.wait(30000, function() local c = vim.lsp.get_client_by_id(client) return c and c.initialized end))
local function ask(method, params)
  local answer = vim.lsp.buf_request_sync(buffer, method, params, 30000)
  return answer[client].result
end
local uri = vim.uri_from_bufnr(buffer)
local line = {line}
local at = {{ textDocument = {{ uri = uri }}, position = {{ line = line, character = {character} }} }}
local found = {{}}
found.hover = ask("textDocument/hover", at).contents.value
local offered = ask("textDocument/completion", at)
found.offered = {{}}
for _, each in ipairs(offered) do table.insert(found.offered, each.label) end
found.symbols = ask("textDocument/documentSymbol", {{ textDocument = {{ uri = uri }} }})[1].name
local edit = ask("textDocument/rename", vim.tbl_extend("force", at, {{ newName = "情绪" }}))
local encoding = vim.lsp.get_client_by_id(client).offset_encoding
vim.lsp.util.apply_workspace_edit(edit, encoding)
found.after = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, {{ "              - {{type: sing, id: told}}" }})
assert(vim.wait(30000, function() return #vim.diagnostic.get(buffer) > 0 end))
found.codes = {{}}
for _, each in ipairs(vim.diagnostic.get(buffer)) do table.insert(found.codes, each.code) end
local file = io.open(out, "w")
file:write(vim.json and vim.json.encode(found) or vim.fn.json_encode(found))
file:close()
vim.lsp.stop_client(client)
vim.cmd("qa!")
"""


@pytest.mark.skipif(NVIM is None, reason="no Neovim here")
def test_neovim_is_answered_and_changes_a_name_behind_emoji(tmp_path: Path) -> None:
    folder, out = tmp_path / "scripts", tmp_path / "out.json"
    folder.mkdir()
    (folder / "project.yaml").write_text("id: mine\nlocale: zh-CN\n", encoding="utf-8")
    (folder / "first.yaml").write_text(FIRST, encoding="utf-8")
    (folder / "skills.yaml").write_text(SKILLS, encoding="utf-8")
    lines = FIRST.split("\n")
    line = next(number for number, each in enumerate(lines) if "🙂🙂" in each)
    character = len(lines[line].split("{心")[0].encode("utf-16-le")) // 2 + 1
    script = tmp_path / "drive.lua"
    script.write_text(
        LUA.format(folder=folder, python=sys.executable, out=out, line=line, character=character), encoding="utf-8"
    )
    command = [str(NVIM), "--headless", "--clean", "-c", f"luafile {script}", "-c", "qa!"]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert out.is_file(), done.stderr.decode("utf-8", "replace")
    found = json.loads(out.read_text(encoding="utf-8"))
    assert "心情" in found["hover"]
    assert "心情" in found["offered"]
    assert found["symbols"] == "第一次"
    assert "{情绪}" in found["after"][line]
    assert "E107" in found["codes"]
