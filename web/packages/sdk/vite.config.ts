import { defineConfig } from "vitest/config";

export default defineConfig({
  build: {
    target: "es2022",
    lib: { entry: { index: "src/index.ts", chat: "src/chat/index.ts" }, formats: ["es"] },
    // Names that stay: other pages load these files by hand.
    rolldownOptions: { output: { chunkFileNames: "client.js" } },
  },
  // The example lies outside of where packages are found from.
  test: {
    environment: "node",
    testTimeout: 60_000,
    alias: { react: import.meta.resolve("react") },
  },
});
