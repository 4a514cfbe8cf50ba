import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Chart, scaleMax } from "./chart.tsx";

it.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [7, 10],
  [11, 20],
  [999, 1000],
  [1001, 2000],
  [6_500_000, 10_000_000],
])(
  "for a chart whose largest bar has the number %d, scaleMax returns %d as the end of the scale",
  (most, expected) => {
    expect(scaleMax(most)).toBe(expected);
  },
);

describe("a chart", () => {
  const html = renderToStaticMarkup(
    <Chart
      title="Sign-ins"
      labels={["01:00", "02:00"]}
      series={[
        { name: "Succeeded", tone: "accent", values: [1200, 0] },
        { name: "Failed", tone: "danger", values: [3, 1] },
      ]}
    />,
  );

  it("a chart contains a description of its totals for screen readers, and a table with every number", () => {
    expect(html).toContain(
      'aria-label="Sign-ins. Succeeded: 1,200, Failed: 4. The value of the largest bar is 1,203."',
    );
    expect(html.match(/<td[^>]*>([\d,]+)<\/td>/g)?.map((cell) => cell.replace(/<[^>]*>/g, ""))).toEqual([
      "1,200",
      "3",
      "0",
      "1",
    ]);
  });

  it("a chart shows a scale, draws no bar for the number 0, and draws a visible bar for the number 1", () => {
    expect(html).toContain("<span>2,000</span><span>1,000</span><span>0</span>");
    expect(html.match(/<rect[^>]*pointer-events="none"/g)).toHaveLength(3);
    expect(html).toMatch(/height="1.5"/);
  });
});
