// @ashlar/provider-ollama
//   Ollama
//   OllamaError
//   OllamaErrorDetails
//   OllamaErrorKind

const Ollama: ProviderClass;
class OllamaError<Kind extends OllamaErrorKind = OllamaErrorKind> extends AshlarError<Kind, OllamaErrorDetails[Kind]> {
}
interface OllamaErrorDetails {
    malformed: {
        readonly at: string;
    };
    auth: {
        readonly status: number;
    };
    provider: {
        readonly status?: number;
    };
}
type OllamaErrorKind = keyof OllamaErrorDetails;
