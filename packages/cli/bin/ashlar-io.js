#!/usr/bin/env node
import { launch } from "./launch.js";

await launch(["io", ...process.argv.slice(2)]);
