import "../../visitor/src/shell/base.css";
import "../../visitor/src/shell/shell.css";
import "./desk.css";
import "./app.js";
