import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { speak } from "./shell/language.js";
import "./shell/base.css";
import "./shell/shell.css";
import { sayWhatIsNeeded } from "./shell/needed.js";
import { Shell } from "./shell/shell.js";
import { theme } from "./shell/theme.js";

const place = document.getElementById("app");
if (!place) throw new Error("The page has no place for the app.");
speak();
sayWhatIsNeeded();
theme.apply();
createRoot(place).render(
  <StrictMode>
    <Shell />
  </StrictMode>,
);
