import {
  type DetectedEndpoint,
  defineProvider,
  type KnownEndpoint,
  type ProviderMetadata,
} from "@ashlar/context/provider";
import { responsesWire } from "./responses-wire.js";

const OPENAI_URL = "https://api.openai.com/v1";

/** OpenAI and servers that speak its Responses API. The built-in Responses wire completes it. */
export const OpenAI = defineProvider(
  // biome-ignore lint/complexity/noStaticOnlyClass: a provider is a class; the wire completes its instances
  class OpenAI {
    static readonly contract = 1;
    static readonly provider: ProviderMetadata = {
      label: "OpenAI (Responses)",
      capabilities: {
        streaming: true,
        thinking: ["none", "minimal", "low", "medium", "high", "xhigh"],
        tools: true,
      },
      wire: "openai-responses",
    };
    static readonly knownEndpoints: readonly KnownEndpoint[] = [
      { name: "openai", label: "OpenAI", url: OPENAI_URL },
    ];
    static readonly models = responsesWire.models;
    static readonly testConnection = responsesWire.testConnection;

    static detectEnvironment(
      environment: Readonly<Record<string, string | undefined>>,
    ): Readonly<Record<string, DetectedEndpoint>> {
      const token = environment.OPENAI_API_KEY?.trim();
      if (!token) return {};
      const url = environment.OPENAI_BASE_URL?.trim() || OPENAI_URL;
      return { openai: { url, auth: { type: "api_key", token } } };
    }
  },
);
