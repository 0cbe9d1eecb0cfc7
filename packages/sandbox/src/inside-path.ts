import { fileURLToPath } from "node:url";

/** The package's folder, which must be visible inside. */
export const packageFolder = (): string => fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** The built first program inside; from the sources it is the built one, too. */
export const insideProgram = (): string => fileURLToPath(new URL("../dist/inside.js", import.meta.url));
