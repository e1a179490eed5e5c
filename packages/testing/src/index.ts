export type {
  Builders,
  TestApplication,
  TestApplicationInput,
  TestJobInput,
  TestKeyInput,
} from './builders.js';
export {
  type AdvanceOptions,
  createTestInstance,
  type TemporaryDatabase,
  type TestInstance,
  type TestInstanceOptions,
  type TestOptions,
} from './create-test-instance.js';
export {
  createRecordedTransport,
  type RecordedEvent,
  type RecordedTransport,
  type SimulatedResponse,
  type WaitOptions,
} from './recorded-transport.js';
export type { TestKey, TestReply, TestRequestParts } from './test-key.js';
export { createVirtualClock, type VirtualClock } from './virtual-clock.js';
