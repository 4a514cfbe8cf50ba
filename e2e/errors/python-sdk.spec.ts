import { spawnSync } from "node:child_process";
import { expect, test } from "../fixtures.ts";
import { collectingProject } from "./collecting.ts";

const PROGRAM = `
import sys, sentry_sdk
sentry_sdk.init(dsn=sys.argv[1], environment="production", release="shop@4.1.0", traces_sample_rate=1.0)
def charge_card(order):
    raise ValueError("Order %d is empty" % order)
for order in (17, 18):
    try:
        charge_card(order)
    except ValueError:
        sentry_sdk.capture_exception()
with sentry_sdk.start_transaction(name="not kept"):
    pass
sentry_sdk.flush(60)
`;

import { notRunnableWithout } from "../../scripts/test-skips.mjs";

test("errors that an unmodified sentry-sdk for Python reports to the DSN are tracked", async ({
  instance,
}) => {
  // Debian's package of sentry-sdk requires Debian's Python, which may not be the first Python in PATH.
  const python = ["/usr/bin/python3", "python3"].find(
    (one) => spawnSync(one, ["-c", "import sentry_sdk"]).status === 0,
  );
  test.skip(python === undefined, notRunnableWithout("python-sentry-sdk"));
  const shop = await collectingProject(instance, "acme/python-shop");
  const { status, stderr } = spawnSync(python ?? "", ["-c", PROGRAM, shop.dsn], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const errors = await shop.errors();
  expect(errors).toMatchObject([{ name: "ValueError", message: "Order 17 is empty", count: 2 }]);
  const [newest] = await shop.events(errors[0]?.id ?? 0);
  for (const part of ["charge_card", "Order 18 is empty", "shop@4.1.0", "sentry.python"])
    expect(JSON.stringify(newest)).toContain(part);
});
