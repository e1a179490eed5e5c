import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { findStaff } from './staff.js';

/** Lets only staff reach a route. Everybody else gets 401. */
@Injectable()
export class StaffGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: { cookie?: string } }>();
    if (findStaff(headers.cookie) === null) throw new UnauthorizedException();
    return true;
  }
}
