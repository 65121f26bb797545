import { defineConfig } from "vite";
import { compressedPlugin } from "../../compressed.plugin.js";

/** One file with everything in it, for pages that build nothing: the server gives it out as /sdk/heart-chat.js. */
export default defineConfig({
  plugins: [compressedPlugin()],
  build: {
    target: "es2022",
    outDir: "dist/embed",
    minify: "oxc",
    lib: { entry: { "heart-chat": "src/embed.ts" }, formats: ["es"] },
  },
});
