import { Env, type Extended } from "@ashlar/env";
import { AgentEnv, type FakeAgent } from "./extend/agent-layer.js";

interface FooAdds {
  members: { foo(): 42 };
  modelInfo: { foo: string };
}
const foo: Extended<typeof AgentEnv, FooAdds> = AgentEnv.extend<FooAdds>({
  name: "foo",
  methods: {
    foo() {
      this.agents();
      return 42;
    },
  },
  modelInfo: (env) => ({ foo: env.cwd }),
});

interface BarAdds {
  members: { readonly bar: string };
}
const bar: Extended<typeof Env, BarAdds> = Env.extend<BarAdds>({
  name: "bar",
  getters: {
    bar() {
      return this.cwd;
    },
  },
});

export async function plainAndWide(): Promise<void> {
  const plain = await Env.open("/a");
  // @ts-expect-error a plain Env has no agents(): its class was not widened by the agent plugin
  plain.agents();
  // @ts-expect-error nor its events
  Env.EVENT.AGENT_ADDED;

  const env = await foo.Env.open("/a");
  const number: 42 = env.foo();
  const agents: readonly FakeAgent[] = env.agents();
  const picked: string | undefined = env.pick(["x"]);
  env.onEvent(foo.Env.EVENT.AGENT_ADDED, ({ agent }) => agent.name);
  env.onEvent(Env.EVENT.MODELS_CHANGED, ({ revision }) => revision + 1);
  // @ts-expect-error the payload is typed by its key
  env.onEvent(Env.EVENT.MODELS_CHANGED, ({ agent }) => agent);
  for (const info of env.models().values()) {
    const active: number = info.active;
    const text: string = info.foo;
    void [active, text, info.endpoint];
  }

  const both = await foo.Env.join(bar.Env).open("/a");
  both.foo();
  both.bar.length;
  both.agents();

  const takesPlain = (given: Env): number => given.models().size;
  takesPlain(both);
  const takesAgent = (given: AgentEnv): number => given.agentCount;
  takesAgent(both);
  // @ts-expect-error a function that wants agents does not take a plain Env
  takesAgent(plain);

  const unknown: unknown = env;
  if (unknown instanceof AgentEnv) unknown.agents();
  void [number, agents, picked];
}

// @ts-expect-error the getters are forgotten
Env.extend<{ members: { m(): void; readonly g: number } }>({ name: "x", methods: { m() {} } });
// @ts-expect-error taken by Env
Env.extend<{ members: { models(): void } }>({ name: "x", methods: { models() {} } });
// @ts-expect-error taken by the agent plugin
AgentEnv.extend<{ members: { agents(): void } }>({ name: "x", methods: { agents() {} } });
// @ts-expect-error the event is taken
AgentEnv.extend<{ events: { AGENT_ADDED: 1 } }>({ name: "x", events: ["AGENT_ADDED"] });
Env.extend<{ members: { m(): void } }>({
  name: "x",
  methods: {
    m() {
      // @ts-expect-error a member that this class does not have
      this.nope();
    },
  },
});
Env.extend<{ settings: { k: number } }>({
  name: "x",
  // @ts-expect-error the default is of another type
  settings: { k: { schema: {}, default: "s", description: "" } },
});
foo.Env.extend<{ settings: { k: number } }>({
  name: "x",
  // @ts-expect-error no such layer
  settings: { k: { schema: {}, default: 1, description: "", layers: ["home"] } },
});
