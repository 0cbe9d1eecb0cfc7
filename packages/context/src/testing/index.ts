export { StoreFailure, type StoreFailureDetails } from "./conformance-failure.js";
export type { StoreConformanceCase, StoreFixture, StoreNeed } from "./fixture.js";
export {
  runStoreCase,
  runStoreConformance,
  type StoreConformanceResult,
  storeConformance,
} from "./store-conformance.js";
