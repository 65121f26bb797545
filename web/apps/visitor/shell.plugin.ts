import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** What is never asked for by the page itself: icons of the installed app, which the system fetches once. */
const APART = /^icon-|\.webmanifest$/;

/** Writes `worker.js` beside the page: the worker of `src/offline`, below the list of what the page is made of and a hash
 * of all of it, so that every build has a worker of its own. */
export function shellPlugin(folder: string): Plugin {
  return {
    name: "heartrule-shell",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const hash = createHash("sha256");
      const worker = readFileSync(join(folder, "src/offline/worker.js"), "utf-8");
      const shell = ["/"];
      hash.update(worker);
      for (const [name, part] of Object.entries(bundle).sort(([one], [other]) => (one < other ? -1 : 1))) {
        hash.update(name).update(part.type === "chunk" ? part.code : part.source);
        // What is loaded later is for those who work on a script.
        const later = part.type === "chunk" && part.isDynamicEntry;
        if (name !== "index.html" && !later) shell.push(`/${name}`);
      }
      for (const name of readdirSync(join(folder, "public")).sort()) {
        hash.update(name).update(readFileSync(join(folder, "public", name)));
        if (!APART.test(name)) shell.push(`/${name}`);
      }
      const version = hash.digest("hex").slice(0, 16);
      const head = `const VERSION = ${JSON.stringify(version)};\nconst SHELL = ${JSON.stringify(shell)};\n`;
      this.emitFile({ type: "asset", fileName: "worker.js", source: head + worker });
    },
  };
}
