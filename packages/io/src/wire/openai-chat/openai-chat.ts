import { defineProvider, type KnownEndpoint, type ProviderMetadata } from "@ashlar/context/provider";
import { chatWire } from "./chat-wire.js";

/** Servers that speak Chat Completions: LM Studio, vLLM, llama.cpp and the rest. The built-in chat wire completes it. */
export const OpenAIChat = defineProvider(
  // biome-ignore lint/complexity/noStaticOnlyClass: a provider is a class; the wire completes its instances
  class OpenAIChat {
    static readonly contract = 1;
    static readonly provider: ProviderMetadata = {
      label: "OpenAI-compatible (Chat Completions)",
      capabilities: { streaming: true, thinking: [], tools: true },
      wire: "openai-chat",
    };
    static readonly knownEndpoints: readonly KnownEndpoint[] = [
      { name: "lm-studio", label: "LM Studio", url: "http://127.0.0.1:1234/v1" },
      { name: "llama-cpp", label: "llama.cpp server", url: "http://127.0.0.1:8080/v1" },
      { name: "vllm", label: "vLLM", url: "http://127.0.0.1:8000/v1" },
    ];
    static readonly models = chatWire.models;
    static readonly testConnection = chatWire.testConnection;
  },
);
