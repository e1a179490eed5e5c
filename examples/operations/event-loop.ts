import { monitorEventLoopDelay } from 'node:perf_hooks';
import { metrics } from '@opentelemetry/api';

/** How often the delay is sampled, in milliseconds. */
const RESOLUTION_MS = 20;

/** Reports how late Node's event loop runs its timers: the 99th percentile since the last scrape. */
export function observeEventLoop(): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const gauge = metrics
    .getMeter('partner-hiring-example')
    .createObservableGauge('nodejs.eventloop.delay.p99', {
      unit: 's',
      description: 'How late the event loop runs timers, 99th percentile since the last scrape.',
    });
  gauge.addCallback((result) => {
    // A sample contains the interval between two samples.
    const lateMs = delay.percentile(99) / 1e6 - RESOLUTION_MS;
    result.observe(Math.max(0, lateMs) / 1_000);
    delay.reset();
  });
}
