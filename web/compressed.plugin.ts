import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(?:js|css|html|svg|webmanifest)$/;
/** Below so many bytes it is not worth it. */
const LEAST = 512;

/** Writes each text of what was built once more, compressed as browsers accept it, so that no server has to. */
export function compressedPlugin(): Plugin {
  let folder = "dist";
  return {
    name: "heartrule-compressed",
    apply: "build",
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const each of readdirSync(folder, { withFileTypes: true, recursive: true })) {
        const path = join(each.parentPath, each.name);
        const text = each.isFile() && TEXT.test(each.name) ? readFileSync(path) : null;
        if (!text || text.length < LEAST) continue;
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
        };
        writeFileSync(`${path}.br`, brotliCompressSync(text, { params }));
        writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
      }
    },
  };
}
