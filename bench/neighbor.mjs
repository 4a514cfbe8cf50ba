// Sends the events of one project, one after the other, while an attacker sends hostile input to another
// project. When a message from the main thread arrives, the program stops and posts the response times. The
// program runs in a separate thread, so that the measured times do not include the work of the attacker.
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

const PAUSE_MS = 20;
if (parentPort === null) throw new Error("This program is for a worker thread.");
/** @type {{ url: string }} */
const { url } = workerData;

/** @type {number[]} */
const milliseconds = [];
let isOver = false;
parentPort.once("message", () => {
  isOver = true;
});
while (!isOver) {
  const begin = performance.now();
  const response = await fetch(url, {
    method: "POST",
    body: `{}\n{"type":"event"}\n{"message":"mine"}`,
  });
  await response.arrayBuffer();
  if (response.status !== 200)
    throw new Error(`An event of the project that is not under attack got the status ${response.status}.`);
  milliseconds.push(performance.now() - begin);
  await pause(PAUSE_MS);
}
parentPort.postMessage(milliseconds.sort((a, b) => a - b));
