export { EXIT_CODES as data } from "../src/loop/exit-code.js";

export const contract = {
  version: 1,
  title: "How a run ends, and the exit code of a command that ends with it",
};
