import type { WorkerChannel } from "@ashlar/sandbox";
import { callTask } from "./inside/call-task.js";
import { importTask } from "./inside/import-task.js";
import { Witness } from "./inside/witness.js";
import type { PackRequest } from "./pack-message.js";

/*
 * The program of the kit inside the sandbox: takes one request, loads the one module it names, gives one reply, and
 * leaves. Standard output and error are those of the code under test.
 */

// The code under test may replace what it finds in `process`.
const leave = process.exit.bind(process);

export default function serve(channel: WorkerChannel): void {
  const witness = new Witness();
  channel.onMessage((value) => {
    // The kit writes these messages, and both sides are the same version of this package.
    const request = value as PackRequest;
    const reply = request.task === "import" ? importTask(request, witness) : callTask(request, witness);
    reply
      .then((done) => channel.send(done))
      .catch((error: unknown) => console.error(error instanceof Error ? error.message : error))
      .finally(() => leave(0));
  });
}
