import sharp from "sharp";
import { expect, it } from "vitest";
import { renderPicture } from "./uploaded-picture";

const WAITING_MAX = 20;

it("the conversion of pictures refuses a picture while 20 pictures are waiting, and accepts the picture afterwards", async () => {
  const file = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const outcomes = await Promise.all(
    Array.from({ length: WAITING_MAX + 3 }, () => renderPicture(file, "cover")),
  );
  const refused = outcomes.filter((outcome) => "problem" in outcome);
  expect(refused).toEqual(Array(2).fill({ problem: expect.stringMatching(/upload the picture again/) }));
  expect(await renderPicture(file, "cover")).toHaveProperty("digest");
});
