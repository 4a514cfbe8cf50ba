// Node loads this module before the server starts (`node --import`). On SIGUSR2, the module collects garbage
// and writes the number of live bytes to the file HEAP_FILE.PID.
import { writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

process.on("SIGUSR2", () => {
  collectGarbage();
  // The second garbage collection frees the objects that finalizers released during the first garbage
  // collection.
  setImmediate(() => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(`${process.env["HEAP_FILE"]}.${process.pid}`, String(heapUsed + external));
  });
});
