/** References, a default and a recursive node in one set of arguments. */
export const referencing = {
  type: "object",
  required: ["q"],
  additionalProperties: false,
  properties: { q: { $ref: "#/$defs/Q" }, tree: { $ref: "#/$defs/Node" } },
  $defs: {
    Q: {
      type: "object",
      required: ["text"],
      properties: { text: { type: "string" }, max: { type: "integer", default: 5 } },
    },
    Node: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/Node" } } } },
  },
};
