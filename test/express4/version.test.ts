import express from 'express';
import { expect, test } from 'vitest';

test('these tests run on Express 4, which has no router of its own', () => {
  expect(() => Reflect.get(express(), 'router')).toThrow("'app.router' is deprecated!");
});
