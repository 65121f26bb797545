import react from "@vitejs/plugin-react";
import { defaultClientConditions } from "vite";
import { defineConfig } from "vitest/config";
import { compressedPlugin } from "../../compressed.plugin.js";

const api = process.env.HEARTRULE_API ?? "http://127.0.0.1:8000";

export default defineConfig({
  base: "/staff/",
  plugins: [react(), compressedPlugin()],
  resolve: { conditions: ["heartrule-source", ...defaultClientConditions] },
  build: {
    target: "es2022",
    // The server forbids data: addresses and inline code, so nothing may be folded into the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { port: 5175, proxy: { "/api": { target: api, ws: true } } },
  test: { environment: "happy-dom", testTimeout: 60_000 },
});
