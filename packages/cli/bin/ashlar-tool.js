#!/usr/bin/env node
import { launchCommand } from "./launch.js";

await launchCommand("tool");
