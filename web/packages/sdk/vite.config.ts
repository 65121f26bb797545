import { defineConfig } from "vitest/config";

export default defineConfig({
  build: {
    target: "es2022",
    lib: { entry: { index: "src/index.ts", chat: "src/chat/index.ts" }, formats: ["es"] },
    // Names that stay: other pages load these files by hand.
    rolldownOptions: { output: { chunkFileNames: "client.js" } },
  },
  test: { environment: "node", testTimeout: 10_000 },
});
