import { teach } from "../shell/language.js";
import { en } from "./texts.en.js";
import { zh } from "./texts.zh-CN.js";

teach("desk", { "zh-CN": zh, en });
