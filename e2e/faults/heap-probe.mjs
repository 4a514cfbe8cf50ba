// Loaded before a server (`node --import`): at SIGUSR2 it collects garbage, and writes how many bytes are live to the
// file HEAP_FILE with the number of the process.
import { writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

process.on("SIGUSR2", () => {
  collectGarbage();
  // Objects that a finalizer releases in the first collection are freed in the second.
  setImmediate(() => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(`${process.env["HEAP_FILE"]}.${process.pid}`, String(heapUsed + external));
  });
});
