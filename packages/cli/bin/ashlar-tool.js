#!/usr/bin/env node
import { launch } from "./launch.js";

await launch(["tool", ...process.argv.slice(2)]);
