/** Lets Node run a program of the project: `node --import <this file> program.ts`. */
import { register } from 'node:module';

register('./load-program.mjs', import.meta.url);
