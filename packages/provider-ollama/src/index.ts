export { Ollama } from "./ollama.js";
export { OllamaError, type OllamaErrorDetails, type OllamaErrorKind } from "./ollama-error.js";
