import { Context, contentText, createAssembler, messageUser, requestView } from "@ashlar/context";

const context = new Context();
context.append(messageUser("What is this project called?"));

const assembler = createAssembler(); // the events of one response, however its text was cut
for (const text of ["It is cal", "led Ashlar."])
  assembler.push({ type: "text_delta", contentIndex: 0, text });
assembler.push({ type: "done", doneReason: "stop" });
context.append(assembler.message());

for (const message of requestView(context.items())) console.log(message.type, contentText(message));
if (contentText(context.at(1)) !== "It is called Ashlar.") throw new Error("the deltas do not join");
