import { defaultClientConditions } from "vite";
import { defineConfig } from "vitest/config";

const api = process.env.HEARTRULE_API ?? "http://127.0.0.1:8000";

export default defineConfig({
  base: "/desk/",
  resolve: { conditions: ["source", ...defaultClientConditions] },
  build: {
    target: "es2022",
    // The server forbids data: addresses and inline code, so nothing may be folded into the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { port: 5174, proxy: { "/api": api } },
  test: { environment: "happy-dom", testTimeout: 10_000 },
});
