/** Express 4 next to Express 5. The tests use only common types. */
declare module 'express4' {
  export { default } from 'express';
}
