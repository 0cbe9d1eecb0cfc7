#!/usr/bin/env node
import { launch } from "./launch.js";

await launch(["jobs", ...process.argv.slice(2)]);
