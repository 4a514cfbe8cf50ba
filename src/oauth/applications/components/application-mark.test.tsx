import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ApplicationMark } from "./application-mark.tsx";

const color = (id: number, name: string) =>
  /avatar-\d+/.exec(renderToStaticMarkup(<ApplicationMark application={{ id, name, logo: null }} />))?.[0];

describe("the initials of an application", () => {
  it("the color of the initials stays the same when the application is renamed", () => {
    expect(["Acme Deploy", "Acme Release", "Zulu"].map((name) => color(7, name))).toEqual(
      Array.from({ length: 3 }, () => color(7, "Acme")),
    );
    expect(color(8, "Acme")).not.toBe(color(7, "Acme"));
  });
});
