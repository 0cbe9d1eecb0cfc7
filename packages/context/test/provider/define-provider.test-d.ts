// biome-ignore-all lint/complexity/noStaticOnlyClass: a provider is a class by contract
import {
  defineProvider,
  type ProviderClass,
  type ResponseEvent,
  type WireContext,
  type WireMessage,
} from "@ashlar/context/provider";

class Base {
  static readonly contract = 1;
  static readonly provider = { label: "L", capabilities: { streaming: true, thinking: [], tools: true } };
  static _cache = new Map<string, string>();
  readonly url: string;
  constructor(url: string, _io: WireContext) {
    this.url = url;
  }
}

interface State {
  text?: string;
}

const whole = defineProvider(
  class Whole extends Base {
    context2msg(_context: unknown, io: WireContext): WireMessage {
      return [{}, { model: io.model }];
    }
    msg2events(_frame: unknown, state: State): readonly ResponseEvent[] {
      state.text = "";
      return [];
    }
    _helper(): void {}
  },
);
export function known(): ProviderClass {
  return whole;
}

class MisspeltMethod extends Base {
  context2mesg(): void {}
}
// @ts-expect-error a method that is no member of the contract
defineProvider(MisspeltMethod);

class MisspeltStatic extends Base {
  static knownEndpoint(): void {}
}
// @ts-expect-error a static function that is no member of the contract
defineProvider(MisspeltStatic);

class WrongResult extends Base {
  context2msg(): string {
    return "";
  }
}
// @ts-expect-error context2msg returns headers and a body
defineProvider(WrongResult);

class NoMetadata {
  static readonly contract = 1;
}
// @ts-expect-error the static `provider` is required
defineProvider(NoMetadata);
