import { Context, type Message, MessageType } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { complaints } from "../strict-server.js";
import { PNG, refusalOf, request, result, TALK } from "./talk.js";

describe("chat messages", () => {
  it("are the whole conversation, in a form that a strict server takes", () => {
    const body = request(TALK);
    expect(complaints(body)).toEqual([]);
    expect(body.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "look" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call-1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
          { id: "call-2", type: "function", function: { name: "read", arguments: '{"path":"b"}' } },
        ],
      },
      {
        role: "tool",
        tool_call_id: "call-1",
        content: "a picture\n\n[image: in the message after the results]",
      },
      { role: "tool", tool_call_id: "call-2", content: "B" },
      {
        role: "user",
        content: [
          { type: "text", text: "Image from the result of read (call-1):" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
      { role: "assistant", content: "Done." },
      { role: "user", content: "thanks" },
    ]);
  });

  it.each([
    {},
    { reasoningField: "reasoning" },
    { callsOnlyContent: "empty" },
    { toolResultName: true },
    { strictToolIds: true },
  ])("of stored messages are what the flags %j ask for, whatever was asked for before", (compat) => {
    const stored = new Context({ items: TALK }).messages();
    const settings = { settings: { compat } };
    request(stored);
    request(stored, { settings: { compat: { reasoningField: "reasoning_content", toolResultName: true } } });
    expect(request(stored, settings)).toEqual(request(TALK, settings));
    expect(request(stored, settings)).toEqual(request(TALK, settings));
  });

  it("leave out what has nothing a server could use", () => {
    const body = request([
      { type: MessageType.user, content: [{ type: "text", text: "hi" }] },
      { type: MessageType.assistant, content: [{ type: "thinking", text: "cut off" }] },
      { type: MessageType.assistant, content: [] },
      { type: MessageType.system, content: [{ type: "text", text: "" }] },
    ]);
    expect(body.messages).toEqual([{ role: "user", content: "hi" }]);
  });

  it("carry images of users as data URLs, the type taken from the bytes", () => {
    const body = request([
      {
        type: MessageType.user,
        content: [
          { type: "text", text: "what is it" },
          { type: "image", content: PNG },
        ],
      },
    ]);
    expect(body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "what is it" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
    ]);
  });

  it.each([
    {
      why: "a file",
      block: { type: "binary", content: "AAAA", filename: "x.zip", mimetype: "application/zip" },
      says: "x.zip (application/zip)",
    },
    {
      why: "an image of another type",
      block: { type: "image", content: "AAAA", mimetype: "image/tiff" },
      says: "convert it to png",
    },
    { why: "a block that only the application knows", block: { type: "chart", text: "x" }, says: '"chart"' },
  ])("refuse $why of a user as malformed, with place and reason", ({ block, says }) => {
    const context = [TALK[0], { type: MessageType.user, content: [{ type: "text", text: "see" }, block] }];
    // The block kinds are wrong on purpose: contexts come from files too.
    expect(refusalOf(context as readonly Message[])).toMatchObject({
      kind: "malformed",
      details: { at: "messages[1].content[1]" },
      message: expect.stringContaining(says),
    });
  });

  it("refuse images for a model that is known to take none", () => {
    const image: Message = { type: MessageType.user, content: [{ type: "image", content: PNG }] };
    expect(refusalOf([image], { info: { input: ["text"] } })).toMatchObject({ kind: "malformed" });
    expect(request([image], { info: { input: ["text", "image"] } }).messages).toHaveLength(1);
  });

  it("tell the model what of a tool's result could not be sent, instead of ending the conversation", () => {
    const body = request([
      TALK[2] ?? fail(),
      result("call-1", [{ type: "binary", content: "AAAA", filename: "x.zip", mimetype: "application/zip" }]),
      result("call-2", [{ type: "image", content: "AAAA", mimetype: "image/tiff" }]),
    ]);
    expect(complaints(body)).toEqual([]);
    expect(JSON.stringify(body.messages)).toContain("x.zip (application/zip) left out");
    expect(JSON.stringify(body.messages)).toContain("image left out: images of type image/tiff");
  });

  it("send back arguments that never parsed inside an object, which every server can read", () => {
    const body = request([
      {
        type: MessageType.assistant,
        content: [{ type: "toolCall", callId: "c", name: "write", arguments: '{"path":"x' }],
      },
      result("c", [{ type: "text", text: "the arguments were cut" }]),
    ]);
    expect(complaints(body)).toEqual([]);
    expect(JSON.stringify(body)).toContain(String.raw`{\\\"path\\\":\\\"x`);
  });
});

function fail(): never {
  throw new Error("the talk is shorter than the test thinks");
}
