import { expect, it } from "vitest";
import {
  ASSUMPTIONS,
  type Cost,
  type Costs,
  limitsOf,
  loadOf,
  REQUESTS_PER_ACTIVE_USER,
  workerShares,
} from "../../bench/capacity-model.mjs";

const FREE: Cost = { workerMicroseconds: 0, databaseMicroseconds: 0, transactions: 0, rows: 0, walBytes: 0 };
const NOTHING = Object.fromEntries(Object.keys(REQUESTS_PER_ACTIVE_USER).map((kind) => [kind, FREE]));
/** Returns the costs of each kind of request, which are zero for all kinds except token refreshes. */
const costsOfRefresh = (cost: Partial<Cost>): Costs =>
  ({ ...NOTHING, refresh: { ...FREE, ...cost } }) as Costs;

/**
 * 1,000,000 users, of whom 20 % are active and refresh their tokens 8 times a day: 55.6 refreshes a second in
 * the busiest hour.
 */
const REFRESHES_PER_SECOND = (1e6 * 0.2 * 8 * 3) / 86_400;

it("the processor time of the workers is the rate of the busiest hour multiplied by the cost of a request", () => {
  const load = loadOf(costsOfRefresh({ workerMicroseconds: 10_000 }), 1e6);
  expect(load.workerCores).toBeCloseTo(REFRESHES_PER_SECOND * 0.01);
  expect(load.machines).toBe(1);
});

it("the number of machines is rounded up, and machines use only the assumed share of their processors", () => {
  const costs = costsOfRefresh({ workerMicroseconds: 100_000 });
  const { workerCores, machines } = loadOf(costs, 1e6);
  expect(machines).toBe(Math.ceil(workerCores / (4 * 0.6)));
  expect(machines).toBe(3);
});

it("ten times as many users cause ten times the load on the database", () => {
  const costs = costsOfRefresh({ databaseMicroseconds: 200, transactions: 0.5, rows: 2, walBytes: 3_000 });
  const [small, large] = [loadOf(costs, 1e6), loadOf(costs, 1e7)];
  expect(small.transactionsPerSecond).toBeCloseTo(REFRESHES_PER_SECOND / 2);
  expect(small.rowsPerDay).toBeCloseTo(1e6 * 0.2 * 8 * 2);
  expect(small.storedRows).toBeCloseTo(small.rowsPerDay * ASSUMPTIONS.rowDays);
  expect(small.walMegabytesPerSecond).toBeCloseTo((REFRESHES_PER_SECOND * 3_000) / 1e6);
  for (const part of ["databaseCores", "transactionsPerSecond", "rowsPerDay", "repositoryTerabytes"] as const)
    expect(large[part]).toBeCloseTo(10 * small[part]);
});

it("the list of limits begins with the resource that is exhausted by the smallest number of users", () => {
  const expensive = costsOfRefresh({ workerMicroseconds: 1, databaseMicroseconds: 1e5, transactions: 1e-6 });
  expect(limitsOf(expensive, { syncsPerSecond: 1_000 })[0]?.name).toMatch(/^processors/);
  const syncing = costsOfRefresh({ workerMicroseconds: 1, databaseMicroseconds: 1, transactions: 1_000 });
  expect(limitsOf(syncing, { syncsPerSecond: 1_000 })[0]?.name).toMatch(/^writes/);
});

it("each limit is the number of users whose load uses the whole resource", () => {
  const costs = costsOfRefresh({ workerMicroseconds: 300, databaseMicroseconds: 500, transactions: 1 });
  const limits = limitsOf(costs, { syncsPerSecond: 2_000 });
  const usersOf = (pattern: RegExp) => limits.find(({ name }) => pattern.test(name))?.users ?? Number.NaN;
  expect(loadOf(costs, usersOf(/^processors/)).databaseCores).toBeCloseTo(32 * 0.6);
  expect(loadOf(costs, usersOf(/^writes/)).transactionsPerSecond).toBeCloseTo(2_000 * 8 * 0.6);
  expect(loadOf(costs, usersOf(/^repositories/)).repositoryTerabytes).toBeCloseTo(50);
});

it("the shares of the kinds of requests add up to the processor time of the workers", () => {
  const costs = Object.fromEntries(
    Object.keys(REQUESTS_PER_ACTIVE_USER).map((kind, at) => [kind, { ...FREE, workerMicroseconds: at + 1 }]),
  ) as Costs;
  const shares = workerShares(costs);
  expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  expect(shares.map(({ share }) => share)).toEqual(
    shares.map(({ share }) => share).toSorted((a, b) => b - a),
  );
});
