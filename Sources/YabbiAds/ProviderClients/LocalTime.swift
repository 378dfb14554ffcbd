package import AdCore
import LibC

/// Where on earth the device is, as far as its clock tells.
package enum LocalTime {
    /// How many minutes local time lies behind UTC at a time, summer time included: for UTC+3 it is -180.
    @Sendable
    package static func minutesBehindUTC(at time: WallTime) -> Int {
        var seconds = time_t(time.milliseconds / 1000)
        var local = tm()
        // The zone may have changed since the last time.
        tzset()
        guard localtime_r(&seconds, &local) != nil else { return 0 }
        return -Int(local.tm_gmtoff) / 60
    }
}
