// Starts `heartrule lsp` for folders that hold a project of scripts, and speaks the Language Server Protocol with it;
// and `heartrule dap` for each debug session, which the editor itself speaks with.
"use strict";

const { commands, debug, DebugAdapterExecutable, env, window, workspace } = require("vscode");
const { LanguageClient, State } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

function options() {
  const wanted = workspace.getConfiguration("heartrule");
  const language = wanted.get("language", "auto");
  const spoken = language === "auto" ? (env.language.startsWith("zh") ? "zh" : "en") : language;
  return { command: wanted.get("command", "heartrule"), args: ["lsp", "--lang", spoken] };
}

async function start() {
  const run = options();
  client = new LanguageClient(
    "heartrule",
    "HeartRule",
    { run, debug: run },
    { documentSelector: [{ scheme: "file", language: "yaml" }] },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const told = env.language.startsWith("zh")
      ? `启动不了“${run.command} lsp”：${error.message}。请在设置 heartrule.command 里写出 heartrule 的路径。`
      : `“${run.command} lsp” could not be started: ${error.message}. Set heartrule.command to where heartrule is.`;
    window.showErrorMessage(told);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running !== undefined && running.state !== State.Stopped) {
    await running.stop();
  }
}

/** YAML is written for much else: only folders with a project of scripts are looked at. */
async function isOurs() {
  const found = await workspace.findFiles("**/project.yaml", "**/node_modules/**", 1);
  return found.length > 0;
}

/** A session that is attached to lies in a data folder; one that is launched is kept where one is named. */
const debugging = {
  createDebugAdapterDescriptor({ configuration }) {
    const kept = configuration.data ? ["--data", configuration.data] : [];
    return new DebugAdapterExecutable(options().command, ["dap", ...kept]);
  },
};

/** F5 in a script, without a launch.json. */
const asked = {
  resolveDebugConfiguration(_folder, configuration) {
    const { document } = window.activeTextEditor ?? {};
    if (configuration.type || document?.languageId !== "yaml") return configuration;
    return { type: "heartrule", request: "launch", name: "HeartRule", program: document.fileName, stopOnEntry: true };
  },
};

async function activate(context) {
  const begin = async () => {
    if (client === undefined && (await isOurs())) {
      await start();
    }
  };
  const watched = workspace.createFileSystemWatcher("**/project.yaml");
  context.subscriptions.push(
    watched,
    debug.registerDebugAdapterDescriptorFactory("heartrule", debugging),
    debug.registerDebugConfigurationProvider("heartrule", asked),
    watched.onDidCreate(begin),
    commands.registerCommand("heartrule.restart", async () => {
      await stop();
      await start();
    }),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("heartrule") && client !== undefined) {
        await stop();
        await start();
      }
    }),
  );
  await begin();
}

module.exports = { activate, deactivate: stop };
