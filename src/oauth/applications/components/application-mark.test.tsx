import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ApplicationMark } from "./application-mark.tsx";

const colour = (id: number, name: string) =>
  /avatar-\d+/.exec(renderToStaticMarkup(<ApplicationMark application={{ id, name, logo: null }} />))?.[0];

describe("the initials of an application", () => {
  it("the colour of the initials stays the same when the application is renamed", () => {
    expect(["Acme Deploy", "Acme Release", "Zulu"].map((name) => colour(7, name))).toEqual(
      Array.from({ length: 3 }, () => colour(7, "Acme")),
    );
    expect(colour(8, "Acme")).not.toBe(colour(7, "Acme"));
  });
});
