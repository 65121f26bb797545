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


FILES = 12
NEW = "情绪分"
MANY = """
local folder, python, out = "{folder}", "{python}", "{out}"
vim.cmd("edit " .. folder .. "/first.yaml")
local buffer = vim.api.nvim_get_current_buf()
local pids = {{}}
local function start()
  local id = vim.lsp.start_client({{
    name = "heartrule",
    cmd = {{"sh", "-c", "echo $$ >> " .. folder .. "/pids; exec " .. python .. " -m heartrule lsp"}},
    root_dir = folder,
  }})
  vim.lsp.buf_attach_client(buffer, id)
  assert(vim.wait(60000, function() local c = vim.lsp.get_client_by_id(id) return c and c.initialized end))
  return id
end
local client = start()
local uri = vim.uri_from_bufnr(buffer)
local at = {{ textDocument = {{ uri = uri }}, position = {{ line = {line}, character = {character} }} }}
local found = {{}}
local function ask(method, params)
  local answer = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  return answer and answer[client] and answer[client].result
end

-- cancelled at once, again and again; what is asked afterwards is answered
local answered = 0
for _ = 1, 50 do
  local _, number = vim.lsp.get_client_by_id(client).request("textDocument/references",
    vim.tbl_extend("force", at, {{ context = {{ includeDeclaration = true }} }}),
    function(err) if not err then answered = answered + 1 end end, buffer)
  vim.lsp.get_client_by_id(client).cancel_request(number)
end
found.references = #ask("textDocument/references",
  vim.tbl_extend("force", at, {{ context = {{ includeDeclaration = true }} }}))
found.answered = answered

-- a new name in twelve files, each with its own splice
local edit = ask("textDocument/rename", vim.tbl_extend("force", at, {{ newName = "{new}" }}))
vim.lsp.util.apply_workspace_edit(edit, vim.lsp.get_client_by_id(client).offset_encoding)
found.files = {{}}
for _, each in ipairs(vim.api.nvim_list_bufs()) do
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(each), ":t")
  if name:match("%.yaml$") then
    found.files[name] = table.concat(vim.api.nvim_buf_get_lines(each, 0, -1, false), "\\n")
  end
end

-- the service dies; what is in the buffer stays, and a new one answers for it
local pid = vim.fn.readfile(folder .. "/pids")[1]
vim.fn.system("kill -9 " .. pid)
assert(vim.wait(20000, function() return vim.lsp.get_client_by_id(client) == nil
  or vim.lsp.get_client_by_id(client).is_stopped() end))
local before = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\\n")
client = start()
found.kept = before == table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\\n")
found.hover = ask("textDocument/hover", at).contents.value
local file = io.open(out, "w")
file:write(vim.json and vim.json.encode(found) or vim.fn.json_encode(found))
file:close()
vim.cmd("qa!")
"""


@pytest.mark.skipif(NVIM is None, reason="no Neovim here")
def test_neovim_renames_over_twelve_files_cancels_and_outlives_a_dead_service(tmp_path: Path) -> None:
    folder, out = tmp_path / "scripts", tmp_path / "out.json"
    folder.mkdir()
    texts = {"first.yaml": FIRST, "skills.yaml": SKILLS}
    for number in range(FILES - len(texts)):
        texts[f"more{number}.yaml"] = SKILLS.replace("calm_down", f"calm_{number}").replace("缓一缓", f"缓{number}")
    (folder / "project.yaml").write_text("id: mine\nlocale: zh-CN\n", encoding="utf-8")
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    lines = FIRST.split("\n")
    line = next(number for number, each in enumerate(lines) if "{心情}" in each)
    character = len(lines[line].split("{心")[0].encode("utf-16-le")) // 2 + 1
    script = tmp_path / "many.lua"
    given = {"folder": folder, "python": sys.executable, "out": out, "line": line, "character": character}
    given["new"] = NEW
    script.write_text(MANY.format(**given), encoding="utf-8")
    command = [str(NVIM), "--headless", "--clean", "-c", f"luafile {script}", "-c", "qa!"]
    done = subprocess.run(command, capture_output=True, timeout=240, check=False)
    assert out.is_file(), done.stderr.decode("utf-8", "replace")
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["answered"] < 25  # what was called off before it was begun is not worked out
    assert found["references"] == sum(text.count("心情") for text in texts.values()) - 2  # in a title and in a meaning
    for file, text in texts.items():
        now = found["files"][file]
        assert NEW in now, file
        assert "{心情}" not in now
        assert now.replace(NEW, "心情").rstrip("\n") == text.rstrip("\n"), file
    assert found["kept"]
    assert NEW in found["hover"]
