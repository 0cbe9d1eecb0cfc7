#!/usr/bin/env node
import { launch } from "./launch.js";

await launch(["agent", ...process.argv.slice(2)]);
